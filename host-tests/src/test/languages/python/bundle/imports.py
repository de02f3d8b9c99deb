import nonesuch
