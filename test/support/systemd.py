# Listens where systemd would: prints what each datagram says, a line per field.
import os, socket, sys

path = sys.argv[1]
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(path)
print('listening', flush=True)
while True:
    print(listener.recv(4096).decode(), flush=True)
