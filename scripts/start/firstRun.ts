import fs from 'node:fs';
import path from 'node:path';
import { outputChannelText } from '../lib/outputChannel.ts';
import { root } from '../lib/paths.ts';

/** How the first run ended, as scripts/firstRun/extension.cjs leaves it. */
interface FirstRunResult {
	/** The run's status, or "not sent". */
	status: string;
	/** How many outputs it has; each is a line in the channel, after the run's last. */
	outputs: number;
	error?: string;
}

/** The extensions that npm start installs: ours, and the one that does the first run. */
export const extensions: readonly string[] = [root, path.join(root, 'scripts/firstRun')];

const channel = 'Agent Runs';
/** Of the run, from the window's start to its result, in milliseconds. It takes about 5 s. */
const limit = 90_000;
/** Of the last lines, which may reach the log file after the result is there. */
const lastLinesLimit = 3000;

/** The run that happens by itself when the window opens. */
export class FirstRun {
	readonly #resultFile: string;
	readonly #logs: string;
	#mirrored = 0;

	/**
	 * @param folder a temporary folder
	 * @param logs VS Code's log files
	 */
	constructor(folder: string, logs: string) {
		this.#resultFile = resultFileIn(folder);
		this.#logs = logs;
	}

	/** What the extension host must have in its environment for it. */
	static environment(folder: string): Record<string, string> {
		return { AGENT_WORKBENCH_FIRST_RUN_RESULT: resultFileIn(folder) };
	}

	/**
	 * Writes to the terminal what the output channel of runs gets, until the run has ended.
	 * @param patient whether somebody has yet to open the window, and so any time may pass
	 * @returns whether it succeeded; why not has been printed
	 */
	async mirror(patient = false): Promise<boolean> {
		const end = patient ? Number.POSITIVE_INFINITY : performance.now() + limit;
		while (!fs.existsSync(this.#resultFile)) {
			if (performance.now() > end) {
				console.error(`The first run did not end within ${limit / 1000} s`);
				return false;
			}
			this.#mirrorNew();
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		const result = JSON.parse(fs.readFileSync(this.#resultFile, 'utf8')) as FirstRunResult;
		await this.#mirrorLast(result);
		if (result.status !== 'succeeded') {
			console.error(`The first run did not succeed: ${result.status}${result.error ? `, ${result.error}` : ''}`);
		}
		return result.status === 'succeeded';
	}

	#mirrorNew(): string {
		const text = outputChannelText(this.#logs, channel);
		process.stdout.write(text.slice(this.#mirrored));
		this.#mirrored = text.length;
		return text;
	}

	/** The line that begins with ■, and after it one line an output. */
	async #mirrorLast({ status, outputs }: FirstRunResult): Promise<void> {
		const end = performance.now() + lastLinesLimit;
		const isWhole = (text: string): boolean => (text.split('■')[1]?.split('\n').length ?? 0) > outputs + 1;
		while (!isWhole(this.#mirrorNew()) && status !== 'not sent' && performance.now() < end) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
	}
}

const resultFileIn = (folder: string): string => path.join(folder, 'first-run.json');
