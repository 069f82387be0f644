import type * as vscode from 'vscode';
import { lastValue } from '#runs/events/lastValue.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';

/** A value of a run. */
interface ValueOfRun {
	readonly value: unknown;
	readonly record: RunRecord;
}

/** Values that references of agent files had in the last run of their agent. */
export class LastValues {
	readonly #runs: Runs;
	readonly #journals: EventJournals;
	readonly #fileOf: (record: RunRecord) => Promise<vscode.Uri | undefined>;

	/** `fileOf`: the agent file that a run is of; `undefined` for one of another service. */
	constructor(runs: Runs, journals: EventJournals, fileOf: (record: RunRecord) => Promise<vscode.Uri | undefined>) {
		this.#runs = runs;
		this.#journals = journals;
		this.#fileOf = fileOf;
	}

	/** The value that a reference of a file had; `undefined` where the last run of the agent came to none, or where none is kept. */
	async of(uri: vscode.Uri, selector: readonly string[]): Promise<ValueOfRun | undefined> {
		const record = await this.#last(uri);
		const found = record && (await lastValue(this.#journals.read(record.key), selector));
		return found && { value: found.value, record };
	}

	async #last(uri: vscode.Uri): Promise<RunRecord | undefined> {
		const agent = /(?<![^/])([^/]*)\.ya?ml$/.exec(uri.path)?.[1];
		for (const record of agent === undefined ? [] : this.#runs.list({ agent })) {
			if ((await this.#fileOf(record))?.toString() === uri.toString()) {
				return record;
			}
		}
		return undefined;
	}
}
