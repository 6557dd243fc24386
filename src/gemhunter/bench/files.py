"""The files by which a run and the process that waits for it talk to each other, in a folder of their own."""

BOARD, TASK, RESULT, STARTED = "board.txt", "task.json", "result.json", "started"
