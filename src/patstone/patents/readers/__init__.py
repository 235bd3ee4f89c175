"""One module a source; each turns its files into publications, one at a time, in bounded memory."""
