# Olšák's .g, which holds colours, as nonogrid's own TOML: `awk -f nonogrid.awk puzzle.g`.
BEGIN { print "[colors]\ndefs = [" }
/^#d/ { part = "colours"; next }
/^: rows/ { part = "clues"; print "]\n[clues]\nrows = '''"; next }
/^: columns/ { print "'''\ncolumns = '''"; next }
/^:/ { exit }
part == "colours" && !/^ *0:/ { name = substr($1, 1, 1); print "\"" name " = (" $2 ") " name "\"," }
part == "clues" && $1 == "" && name { print "beyond it: an empty line" >"/dev/stderr"; exit 1 }
part == "clues" { print ($1 == "" ? 0 : $0) "," }
END { print "'''" }
