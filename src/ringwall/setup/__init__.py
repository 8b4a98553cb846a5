"""What puts Ringwall into a host and takes it out again: init, remove, doctor, trust."""
