import fs from 'node:fs';
import path from 'node:path';
import type { FormAnswer } from '#engine/run/pausedRun.ts';
import { Float, toPlainValue, toPlainValues } from '#engine/variables/float.ts';

/** Recorded case: an agent file and the events that the hosted service produced for it. */
export interface DslCase {
	readonly name: string;
	readonly agentFile: string;
	readonly agentText: string;
	/** `exact`: events arrive in exactly this order; `partial`: in this order only if it is defined. */
	readonly order: 'exact' | 'partial';
	/** Reasons for which a loose comparison is acceptable. */
	readonly tags: ReadonlySet<string>;
	/** True if the texts were recorded from an older engine, which sent them at other times than the newest one. */
	readonly olderTexts: boolean;
	readonly runs: readonly DslRun[];
}

export interface DslRun {
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly query?: string;
	/** Trigger that started the run. */
	readonly root?: string;
	readonly mocks: Readonly<Record<string, Mock>>;
	/** Answers to forms by node, one entry per pause. If there are more pauses than entries, the run stays paused. */
	readonly form_rounds?: readonly Readonly<Record<string, FormAnswer>>[];
	/** Metadata of the uploads that `inputs` name, by ID. */
	readonly uploads?: Readonly<Record<string, Upload>>;
	/** Replies of the model for each attempt of a node. */
	readonly model_replies?: Readonly<Record<string, readonly ModelReply[]>>;
	/** Replies of the service at `http://service.test` for each attempt of a node. */
	readonly http?: Readonly<Record<string, HttpReply | readonly HttpReply[]>>;
	readonly expected: DslExpectation;
}

/** Result of a node that is mocked instead of run. */
export type Mock = MockResult | { readonly sequence: readonly MockResult[] };
export type MockResult = { readonly outputs: Record<string, unknown> } | { readonly error: string; readonly error_type?: string };

export interface Upload {
	readonly name: string;
	readonly mime_type: string;
	readonly size: number;
	readonly content?: string;
}

export type ModelReply =
	| string
	| {
			readonly text?: string;
			readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
			readonly finish_reason?: string;
			readonly structured_output?: unknown;
			readonly error?: string;
	  };

/** `error`: the connection fails. */
export interface HttpReply {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly error?: string;
}

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
	readonly model_calls?: readonly ModelCall[];
	readonly http_calls?: readonly HttpCall[];
}

/** Request to a model; `messages` only for llm nodes. */
export interface ModelCall {
	readonly node_id: string;
	readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
	readonly reply: ModelReply;
}

/** A recorded HTTP request, with BOUNDARY in place of the boundary of a form. */
export interface HttpCall {
	readonly node_id: string;
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly reply: HttpReply;
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

/** Reads all cases of a folder, sorted by name. */
export function readCases(folder: string): readonly DslCase[] {
	return fs
		.readdirSync(folder)
		.filter(file => file.endsWith('.expected.json'))
		.sort()
		.map(file => {
			const name = file.slice(0, -'.expected.json'.length);
			const agentFile = path.join(folder, `${name}.yml`);
			const text = fs.readFileSync(path.join(folder, file), 'utf8');
			const { order, tags, runs } = JSON.parse(text, restoreCodeFloats as (key: string, value: unknown) => unknown);
			const olderTexts = runs.some((run: object) => 'upstream_test' in run);
			return { name, agentFile, agentText: fs.readFileSync(agentFile, 'utf8'), order, tags: new Set<string>(tags ?? []), olderTexts, runs };
		});
}

/**
 * Reviver for `JSON.parse` that turns floats (`51.0`) in results of code into {@link Float}s, because Python distinguishes them from
 * integers. Floats elsewhere stay numbers. Revivers are called from the inside out.
 */
function restoreCodeFloats(key: string, value: unknown, { source }: { readonly source?: string }): unknown {
	if (typeof value === 'number') {
		return source?.endsWith('.0') ? new Float(value) : value;
	}
	if (typeof value !== 'object' || value === null || (key === 'result' && !Array.isArray(value))) {
		return value;
	}
	return Array.isArray(value) ? value.map(toPlainValue) : toPlainValues(value as Record<string, unknown>);
}
