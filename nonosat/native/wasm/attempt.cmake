# Runs a command that is to make a file. Where it fails there is a warning, and no file:
#
#     cmake -P attempt.cmake -- FILE COMMAND [ARGUMENT...]
set(command "")
set(first 5)  # behind "cmake", "-P", this file, "--", FILE
set(made "${CMAKE_ARGV4}")
set(object_path "^([A-Za-z]:)?[/\\\\].*\\.o$")  # from a root or a drive; "-MT wasm/x.o" names no file
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(number RANGE ${first} ${last})
  list(APPEND command "${CMAKE_ARGV${number}}")
endforeach()
file(REMOVE "${made}")
foreach(part IN LISTS command)
  if(part MATCHES "${object_path}" AND NOT part STREQUAL made AND NOT EXISTS "${part}")
    return()  # an attempt before this one has failed, and said so
  endif()
endforeach()
execute_process(COMMAND ${command} RESULT_VARIABLE failed ERROR_VARIABLE said)
if(failed OR NOT EXISTS "${made}")
  file(REMOVE "${made}")
  string(SUBSTRING "${said}" 0 2000 said)
  message(WARNING "core.wasm is left out: emcc fails, expected emscripten 3.1.6 or later\n${said}")
elseif(said)
  message(NOTICE "${said}")
endif()
