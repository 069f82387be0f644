/** An option of a command: `--NAME`. */
export interface OptionSpec {
	readonly name: string;
	/** Placeholder for its value in the help. Absent for a switch. */
	readonly value?: string;
	/** True if the value can be omitted: `--NAME` or `--NAME=VALUE`. */
	readonly optional?: true;
	/** True if the option can be repeated. */
	readonly multiple?: true;
	readonly help: string;
}

/** A command: `agent-workbench NAME`. */
export interface CommandSpec {
	readonly name: string;
	/** Placeholders of the positional arguments in the help. */
	readonly operands: string;
	readonly summary: string;
	readonly options: readonly OptionSpec[];
	/** Minimum and maximum number of positional arguments. */
	readonly least: number;
	readonly most: number;
	/** Text shown after the options in the help. */
	readonly notes: string;
}
