nothing = 1
