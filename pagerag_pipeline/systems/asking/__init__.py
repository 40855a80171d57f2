"""What systems ask of a chat model while they gather; every one of these has a way without it."""
