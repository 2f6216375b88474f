# Runs a command that creates a file. If it fails, a warning is printed and the file is missing:
#
#     cmake -P attempt.cmake -- FILE COMMAND [ARGUMENT...]
set(command "")
set(first 5)  # after "cmake", "-P", this file, "--", FILE
set(made "${CMAKE_ARGV4}")
set(object_path "^([A-Za-z]:)?[/\\\\].*\\.o$")  # from a root or a drive; "-MT wasm/x.o" is not a file
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(number RANGE ${first} ${last})
  list(APPEND command "${CMAKE_ARGV${number}}")
endforeach()
file(REMOVE "${made}")
foreach(part IN LISTS command)
  if(part MATCHES "${object_path}" AND NOT part STREQUAL made AND NOT EXISTS "${part}")
    return()  # an earlier attempt has failed, with a warning
  endif()
endforeach()
execute_process(COMMAND ${command} RESULT_VARIABLE failed ERROR_VARIABLE output)
if(failed OR NOT EXISTS "${made}")
  file(REMOVE "${made}")
  string(SUBSTRING "${output}" 0 2000 output)
  message(WARNING "core.wasm is left out: emcc fails, expected emscripten 3.1.6 or later\n${output}")
elseif(output)
  message(NOTICE "${output}")
endif()
