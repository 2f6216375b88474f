Café 12
by nobody
#d palette
   0:.  #FFFFF0  paper
   r:r  red  first

   b:B  #0000ff
: columns
1r
1r 1b

1b
: rows
2r

1b
1b
: 4 9 is no clue
7
