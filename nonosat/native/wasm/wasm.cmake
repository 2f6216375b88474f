# Target `core_wasm`: the part of the core that the studio's page calls, in WebAssembly. It needs
# emscripten 3.1.6 or later (Debian: emscripten and node-acorn); without that, or if it fails, the
# target is left out, and `nonosat studio --static` reports it.

set(WASM_SMALL # compiled for size: little time is spent in them
    beliefs/marginals.cpp beliefs/segments.cpp
    count/component.cpp count/counter.cpp
    decimation/decimation.cpp
    encoding/open_lines.cpp encoding/order_encoding.cpp
    learn/look_ahead.cpp learn/proof_log.cpp
    line/plan.cpp
    live/clash.cpp live/analysis.cpp live/next_line.cpp
    prices/minimise.cpp prices/prices.cpp prices/regions.cpp prices/reduced_costs.cpp
    search/search.cpp
    strategy/attempts.cpp strategy/engine.cpp strategy/neighbours.cpp strategy/pricing.cpp
    strategy/strategy.cpp strategy/turns.cpp
    wasm/bindings.cpp)
set(WASM_FAST
    beliefs/beliefs.cpp beliefs/segment_sums.cpp beliefs/weighted_line.cpp
    board/board.cpp board/dive.cpp board/probe.cpp
    count/diagram.cpp count/frontier.cpp
    learn/adding.cpp learn/analysis.cpp learn/lines.cpp learn/paths.cpp learn/reduction.cpp
    learn/solver.cpp learn/chrono_backtracking.cpp
    line/line.cpp line/line_mono.cpp line/line_spans.cpp line/line_wide.cpp line/line_window.cpp
    prices/priced_board.cpp)
set(WASM_COMPILE -std=gnu++20 -DNDEBUG -fwasm-exceptions)
# The module needs none of emscripten's JavaScript. Threads of browsers have a smaller stack.
set(WASM_LINK -O2 -fwasm-exceptions --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH
    -sMAXIMUM_MEMORY=1GB -sINITIAL_MEMORY=8MB -sTOTAL_STACK=1MB)

find_program(EMCC emcc)
if(NOT EMCC)
  message(STATUS "core.wasm is left out: there is no emcc (Debian: emscripten node-acorn)")
  return()
endif()
set(WASM_FOLDER ${CMAKE_CURRENT_BINARY_DIR}/wasm)
file(WRITE ${WASM_FOLDER}/trial.cpp "extern \"C\" __attribute__((used)) int trial() { return 1; }\n")
execute_process(COMMAND ${EMCC} ${WASM_COMPILE} trial.cpp -o trial.wasm ${WASM_LINK}
                WORKING_DIRECTORY ${WASM_FOLDER} RESULT_VARIABLE failed OUTPUT_QUIET
                ERROR_VARIABLE output)
if(failed)
  message(STATUS "core.wasm is left out: emcc fails (Debian: emscripten node-acorn)\n${output}")
  return()
endif()

# An emcc that is too old for the core, or broken, must not prevent the build of nonosat.
set(ATTEMPT ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/attempt.cmake --)
set(objects "")
foreach(size IN ITEMS SMALL FAST)
  set(level $<IF:$<STREQUAL:${size},SMALL>,-Os,-O2>)
  foreach(source IN LISTS WASM_${size})
    string(REPLACE "/" "-" object ${source}.o)
    add_custom_command(
      OUTPUT wasm/${object}
      COMMAND ${ATTEMPT} ${WASM_FOLDER}/${object} ${CMAKE_CXX_COMPILER_LAUNCHER} ${EMCC}
              ${WASM_COMPILE} ${level}
              -I ${CMAKE_CURRENT_SOURCE_DIR} -MD -MF ${WASM_FOLDER}/${object}.d
              -MT wasm/${object} -c ${CMAKE_CURRENT_SOURCE_DIR}/${source}
              -o ${WASM_FOLDER}/${object}
      DEPENDS ${source}
      DEPFILE ${WASM_FOLDER}/${object}.d
      VERBATIM)
    list(APPEND objects ${WASM_FOLDER}/${object})
  endforeach()
endforeach()
add_custom_command(OUTPUT wasm/core.wasm
                   COMMAND ${ATTEMPT} ${WASM_FOLDER}/core.wasm ${EMCC} ${objects}
                           -o ${WASM_FOLDER}/core.wasm ${WASM_LINK}
                   DEPENDS ${objects} VERBATIM)
add_custom_target(core_wasm ALL DEPENDS wasm/core.wasm)
install(FILES ${WASM_FOLDER}/core.wasm DESTINATION nonosat/studio/page/answers OPTIONAL)
