"""Serve a GGUF file over HTTP on a free port of this machine: print the address, end with standard input."""

import sys

import xllamacpp

parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
parameters.n_ctx = 2048
parameters.n_parallel = 2
parameters.sampling.seed = 7
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
