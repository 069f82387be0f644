import type { FakeApp, FakeNode, FakeWorkflow, Fields } from '../state.ts';
import type { EventLog } from './eventLog.ts';

/** A form that a paused run waits for. */
export interface FakeForm {
	readonly id: string;
	readonly token: string;
	readonly node: FakeNode;
	readonly run: FakeRun;
	readonly content: string;
	/** Unix seconds. */
	readonly expiresAt: number;
	answer: { readonly action: string; readonly inputs: Fields } | undefined;
}

/** A run of the draft or the published version. */
export interface FakeRun {
	readonly id: string;
	readonly taskId: string;
	readonly app: FakeApp;
	/** The graph when the run started. */
	readonly workflow: FakeWorkflow;
	readonly triggeredFrom: 'debugging' | 'app-run';
	/** The end user's name; `undefined` for the account. */
	readonly user: string | undefined;
	readonly inputs: Fields;
	readonly query: string | undefined;
	readonly conversationId: string;
	readonly messageId: string;
	readonly createdAt: number;
	finishedAt: number | undefined;
	status: 'running' | 'succeeded' | 'failed' | 'stopped' | 'paused' | 'partial-succeeded';
	outputs: Fields | null;
	error: string | null;
	answer: string;
	tokens: number;
	exceptions: number;
	readonly executions: Fields[];
	readonly events: EventLog;
	readonly forms: FakeForm[];
	/** Values by `node.variable`. */
	readonly pool: Map<string, unknown>;
	/** Resumes a waiting run. */
	wake: (() => void) | undefined;
}

export function isChatRun(run: FakeRun): boolean {
	return run.app.mode !== 'workflow' && run.app.mode !== 'completion';
}
