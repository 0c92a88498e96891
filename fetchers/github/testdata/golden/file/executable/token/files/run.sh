#!/bin/sh
exec go run ./src "$@"
