"""Where each public name lives; `gemhunter` imports them when they are first used."""

HOMES = {
    "board.board": "Board grid_from_traps",
    "board.checker": "Violation check",
    "board.grid": "Cell GEM Grid HIDDEN TRAP",
    "board.position": "Action FirstClick Move Position Replay Status",
    "board.puzzle": "Puzzle Solution read_puzzle",
    "cnf.dimacs": "parse_formula read_formula write_dimacs",
    "cnf.drat": "Proof read_drat write_drat",
    "cnf.encode": "encode",
    "cnf.formula": "Cnf",
    "errors": (
        "BoardError EngineError Fault FormulaError GemHunterError InputError ModelError ProofError "
        "TooLargeError UnknownNameError WrongAnswerError"
    ),
    "explanation.explain": "difficulty explain explain_cell explain_opposite",
    "explanation.explanations": "CellExplanation ExplainedConflict Explanation",
    "explanation.hint": "HintLadder NothingToDeduce hint",
    "explanation.pictures": "explanation_gif explanation_html explanation_svg",
    "explanation.steps": "Difficulty ExplanationStep",
    "files.boards": "read_board read_replay write_board",
    "files.json_boards": "write_replay",
    "files.text": "parse_grid",
    "generate.games": "NoGuessGame Using generate_games",
    "generate.puzzles": "GeneratedPuzzle NotGenerated PuzzleWish generate_puzzle generate_puzzles",
    "generate.suites": "SuiteBoard SuiteWish generate_suite",
    "play.advice": "Advice advise",
    "play.agents.registry": "new_player",
    "play.game": "Game View new_game replayed",
    "play.game_ids": "GameId Level",
    "play.game_names": "open_game read_grid read_position",
    "play.guessing.candidates": "Candidate",
    "play.many_games": "Games play_games",
    "play.player": "Choice Player Stuck Turn play_game",
    "questions.analyse": "Analysis analyse",
    "questions.bounds": "Bounds count_bounds",
    "questions.count": "count count_by_traps",
    "questions.forced": "Forced forced is_unique",
    "questions.probability": "Probabilities probabilities probabilities_of_many",
    "questions.proof_checker": "Accepted Rejected check_formula_proof check_proof",
    "questions.sample": "sample",
    "questions.solutions": "Ending Solutions solutions",
    "questions.solve": "FormulaReport solve solve_formula",
    "questions.trace": "Step trace trace_formula",
    "solving.engine": "CnfSolver Engine EngineInfo SatAnswer Satisfied Unsatisfiable",
    "solving.outcomes": "GaveUp Outcome Refuted Report Solved StopReason",
    "solving.registry": "get_engine list_engines",
    "solving.run": "Limits Run",
    "work.pieces": "Watch",
    "work.workers": "dask_cluster",
}
"""The public names of each module, separated by spaces."""

HOME_OF = {name: f"gemhunter.{home}" for home, names in HOMES.items() for name in names.split()}
"""The module of each public name."""
