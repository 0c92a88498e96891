package main

// x is new.
const x = 1
