import fs from 'node:fs';
import path from 'node:path';
import { readOutputChannel } from '../lib/outputChannel.ts';
import { root } from '../lib/paths.ts';

/** Outcome of the first run, written by scripts/firstRun/extension.cjs. */
interface FirstRunResult {
	/** The run's status, or "not sent". */
	status: string;
	/** Number of outputs. Each output is a line in the channel after the run's last line. */
	outputs: number;
	error?: string;
}

/** Extensions that npm start installs: ours, and the one that starts the first run. */
export const extensions: readonly string[] = [root, path.join(root, 'scripts/firstRun')];

const channel = 'Agent Runs';
/** Maximum milliseconds from the window's start to the run's result. It takes about 5 s. */
const limit = 90_000;
/** Maximum milliseconds to wait for the last lines, which can reach the log file after the result. */
const lastLinesLimit = 3000;

/** The run that starts automatically when the window opens. */
export class FirstRun {
	readonly #resultFile: string;
	readonly #logs: string;
	#mirrored = 0;

	/**
	 * @param folder a temporary folder
	 * @param logs VS Code's log files
	 */
	constructor(folder: string, logs: string) {
		this.#resultFile = getResultFile(folder);
		this.#logs = logs;
	}

	/** Returns the variables that the extension host needs for the first run. */
	static getEnvironment(folder: string): Record<string, string> {
		return { AGENT_WORKBENCH_FIRST_RUN_RESULT: getResultFile(folder) };
	}

	/**
	 * Prints the runs' output channel to the terminal until the run has finished.
	 * @param patient true if a user has yet to open the window, so there is no time limit
	 * @returns true if it succeeded; otherwise the reason has been printed
	 */
	async mirrorOutput(patient = false): Promise<boolean> {
		const end = patient ? Number.POSITIVE_INFINITY : performance.now() + limit;
		while (!fs.existsSync(this.#resultFile)) {
			if (performance.now() > end) {
				console.error(`The first run did not end within ${limit / 1000} s`);
				return false;
			}
			this.#mirrorNewText();
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		const result = JSON.parse(fs.readFileSync(this.#resultFile, 'utf8')) as FirstRunResult;
		await this.#mirrorLastLines(result);
		if (result.status !== 'succeeded') {
			console.error(`The first run did not succeed: ${result.status}${result.error ? `, ${result.error}` : ''}`);
		}
		return result.status === 'succeeded';
	}

	#mirrorNewText(): string {
		const text = readOutputChannel(this.#logs, channel);
		process.stdout.write(text.slice(this.#mirrored));
		this.#mirrored = text.length;
		return text;
	}

	/** Prints the line that starts with ■, and one line per output after it. */
	async #mirrorLastLines({ status, outputs }: FirstRunResult): Promise<void> {
		const end = performance.now() + lastLinesLimit;
		const isComplete = (text: string): boolean => (text.split('■')[1]?.split('\n').length ?? 0) > outputs + 1;
		while (!isComplete(this.#mirrorNewText()) && status !== 'not sent' && performance.now() < end) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
	}
}

const getResultFile = (folder: string): string => path.join(folder, 'first-run.json');
