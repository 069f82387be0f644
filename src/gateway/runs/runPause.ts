import type { Attack } from '#contract/attack.ts';
import type { Mocks } from '#contract/mocks.ts';
import type { RecordingUse } from '#contract/recordings/recordings.ts';
import type { FileObject, ResponseMode, RunData } from '#contract/workflows.ts';
import type { ChatContext } from '#engine/run/engineTypes.ts';
import type { PausedRun } from '#engine/run/pausedRun.ts';
import { getHeldSecrets } from '../agents/agentSecrets.ts';
import { type HeldSecrets, SecretMarks } from '../agents/secretMarks.ts';
import type { PausedRunTexts } from '../store/pausedRunStore.ts';
import type { RunPause } from '../store/runRows.ts';

/** A run's request, as it's saved while the run is paused. */
export interface RunRequest {
	readonly sequenceNumber: number;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly files: readonly FileObject[];
	readonly mode: ResponseMode;
	readonly trigger?: string;
	readonly chat?: ChatContext;
	/** Mocked nodes. */
	readonly mocks?: Mocks;
	/** Attack that replaces the services that the run calls. */
	readonly attack?: Attack;
	/** True if models use the reply cache. */
	readonly cache?: boolean;
	/** Open recording that the run uses. Its secrets aren't saved. */
	readonly recording?: RecordingUse;
}

/** A request with additional saved values. */
interface KeptRequest extends RunRequest {
	/** Names of the agent's secrets that had a value, which are required to resume. Missing in older records. */
	readonly secrets?: readonly string[];
	/** Key of the placeholders that replace secrets in the state and the request. Missing in older records. */
	readonly marks?: string;
}

/** The state from which a paused run resumes. */
export interface SavedRun {
	readonly request: RunRequest;
	readonly state: PausedRun;
}

/**
 * Returns the data to save for a paused run, without the agent's secrets.
 * @param agent the agent with the secrets of this run
 * @param source the text of a draft; null for a published version
 */
export function createPause(
	taskId: string,
	{ request, state }: SavedRun,
	agent: HeldSecrets,
	source: string | null,
	data: RunData,
): RunPause {
	const marks = new SecretMarks(agent);
	const { request: keptRequest, state: keptState } = mapValues({ request, state }, value => marks.markSecrets(value));
	return {
		taskId,
		outputs: JSON.stringify(data.outputs),
		elapsedTime: data.elapsed_time,
		totalTokens: data.total_tokens,
		totalSteps: Number(data.total_steps),
		exceptionsCount: state.exceptions,
		request: JSON.stringify({ ...omitSecrets(keptRequest), secrets: getHeldSecrets(agent), marks: marks.key } satisfies KeptRequest),
		source,
		state: JSON.stringify(keptState),
		forms: state.waiting.map(({ node, form, formId, token, askedAt }) => ({
			token,
			id: formId,
			node,
			asked_at: askedAt,
			expires_at: form.expires * 1000,
			form: JSON.stringify(form),
		})),
	};
}

/** A run that continues still has the secrets of its recording. */
function omitSecrets({ recording, ...request }: RunRequest): RunRequest {
	const { secrets: _, ...use } = recording ?? {};
	return { ...request, ...(recording && { recording: use as RecordingUse }) };
}

/** Returns the names of the secrets that a run started with. */
export function getSecretNames({ request }: Pick<PausedRunTexts, 'request'>): readonly string[] {
	return (JSON.parse(request) as KeptRequest).secrets ?? [];
}

/** Restores the state saved by {@link createPause}, with the agent's current secrets. */
export function restoreRun(texts: Pick<PausedRunTexts, 'request' | 'state'>, agent: HeldSecrets): SavedRun {
	const { secrets: _, marks: key, ...request } = JSON.parse(texts.request) as KeptRequest;
	const kept: SavedRun = { request, state: JSON.parse(texts.state) as PausedRun };
	if (key === undefined) {
		return kept;
	}
	const marks = new SecretMarks(agent, key);
	return mapValues(kept, value => marks.fillSecrets(value));
}

/**
 * Applies `change` to all values that nodes produced. Names of nodes and variables stay the same, as do the inputs of callers and users.
 */
function mapValues({ request, state }: SavedRun, change: <T>(value: T) => T): SavedRun {
	const mapEntries = <T>(values: Readonly<Record<string, T>>, changed: (value: T) => T): Record<string, T> =>
		Object.fromEntries(Object.entries(values).map(([name, value]) => [name, changed(value)]));
	const { chat } = request;
	const given = new Set(['sys', state.root]);
	return {
		request: { ...request, ...(chat && { chat: { ...chat, variables: mapEntries(chat.variables, change) } }) },
		state: {
			...state,
			...(state.citations && { citations: change(state.citations) }),
			outputs: mapEntries(state.outputs, change),
			variables: Object.fromEntries(
				Object.entries(state.variables).map(([node, values]) => [node, given.has(node) ? values : mapEntries(values, change)]),
			),
			texts: { ...state.texts, streams: mapEntries(state.texts.streams, stream => ({ ...stream, chunks: change(stream.chunks) })) },
		},
	};
}
