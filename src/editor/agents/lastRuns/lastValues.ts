import type * as vscode from 'vscode';
import { findLastValue } from '#runs/events/lastValue.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';

interface ValueOfRun {
	readonly value: unknown;
	readonly record: RunRecord;
}

/** Finds the values that references had in the last run of their agent. */
export class LastValues {
	readonly #runs: Runs;
	readonly #journals: EventJournals;
	readonly #findAgentFile: (record: RunRecord) => Promise<vscode.Uri | undefined>;

	/** `findAgentFile` returns the agent file of a run, or `undefined` for runs of other services. */
	constructor(runs: Runs, journals: EventJournals, findAgentFile: (record: RunRecord) => Promise<vscode.Uri | undefined>) {
		this.#runs = runs;
		this.#journals = journals;
		this.#findAgentFile = findAgentFile;
	}

	/** Returns the last value of a reference in a file, or `undefined` if no run is stored or the last run didn't produce a value. */
	async findValue(uri: vscode.Uri, selector: readonly string[]): Promise<ValueOfRun | undefined> {
		const { value: record } = await this.listRuns(uri).next();
		const found = record && (await findLastValue(this.#journals.readEntries(record.key), selector));
		return found && { value: found.value, record };
	}

	/** Yields the runs of a file, the last one first. */
	async *listRuns(uri: vscode.Uri): AsyncGenerator<RunRecord, undefined> {
		const agent = /(?<![^/])([^/]*)\.ya?ml$/.exec(uri.path)?.[1];
		for (const record of agent === undefined ? [] : this.#runs.list({ agent })) {
			if ((await this.#findAgentFile(record))?.toString() === uri.toString()) {
				yield record;
			}
		}
	}
}
