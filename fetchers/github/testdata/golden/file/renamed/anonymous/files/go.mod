module github.com/octo/hello

go 1.26
