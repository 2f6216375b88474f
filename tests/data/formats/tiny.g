boot
: rows
2
1 1
: columns
2
1
1
:
