"""What is plugged into this machine: which it is, who has it open, when it comes."""
