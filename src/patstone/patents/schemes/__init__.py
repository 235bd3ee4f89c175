"""Class schemes: CPC, IPC, F-term themes and any other hierarchy of terms, as one tree whatever they were read from."""
