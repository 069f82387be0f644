import fs from 'node:fs';
import path from 'node:path';

/** Recorded case: an agent file and what the hosted service made of it. */
export interface DslCase {
	readonly name: string;
	readonly agentFile: string;
	readonly agentText: string;
	/** `exact`: events come in this very order; `partial`: only as far as it is defined. */
	readonly order: 'exact' | 'partial';
	/** Where a loose comparison is right. */
	readonly tags: ReadonlySet<string>;
	readonly runs: readonly DslRun[];
}

export interface DslRun {
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly query?: string;
	readonly mocks: Readonly<Record<string, Mock>>;
	readonly expected: DslExpectation;
}

/** What a node gives instead of being run. */
export type Mock = MockResult | { readonly sequence: readonly MockResult[] };
export type MockResult = { readonly outputs: Record<string, unknown> } | { readonly error: string; readonly error_type?: string };

export interface DslExpectation {
	readonly final: {
		readonly status: string;
		readonly outputs: unknown;
		readonly error: string | null;
		readonly exceptions_count: number;
		readonly total_steps: number;
		readonly total_tokens: number;
	};
	readonly events: readonly RecordedEvent[];
	readonly skipped_nodes: readonly string[];
	readonly code_calls?: readonly CodeCall[];
}

export interface RecordedEvent {
	readonly event: string;
	readonly node_id?: string;
	readonly [field: string]: unknown;
}

export interface CodeCall {
	readonly node_id: string;
	readonly inputs: unknown;
	readonly result?: unknown;
	readonly error?: string;
}

/** Reads all cases of a folder, by name. */
export function readCases(folder: string): readonly DslCase[] {
	return fs
		.readdirSync(folder)
		.filter(file => file.endsWith('.expected.json'))
		.sort()
		.map(file => {
			const name = file.slice(0, -'.expected.json'.length);
			const agentFile = path.join(folder, `${name}.yml`);
			const { order, tags, runs } = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
			return { name, agentFile, agentText: fs.readFileSync(agentFile, 'utf8'), order, tags: new Set<string>(tags ?? []), runs };
		});
}
