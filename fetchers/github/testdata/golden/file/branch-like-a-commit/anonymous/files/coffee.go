package main

const coffee = "☕"
