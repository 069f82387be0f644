import type { Mocks } from '#contract/mocks.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { RecordingPlace, RecordingSettings } from '#contract/recordings/recordings.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { Secrets } from './secrets.ts';

/** Part of a suite to debug: a case, or a row of its dataset. */
export interface SuiteLaunch {
	/** Run file content; absent if the case is a run file. */
	readonly body?: object;
	/** The request's fields for a dataset row, with all placeholders filled in. */
	readonly values?: WorkflowRunRequest;
	/** Secrets in the values, as entries of {@link Secrets}. */
	readonly secrets?: readonly (readonly [string, string])[];
	readonly mocks?: Mocks;
	/** The suite whose recording the case uses, its settings, and the place of the case in it. */
	readonly recorded?: { readonly file: string; readonly settings?: RecordingSettings | undefined; readonly place: RecordingPlace };
}

/**
 * Serializes a launch, or the part that a fork runs, so that the editor finds no variables in it: in launch configurations it would substitute them and run their
 * commands.
 */
export function sealLaunch(launch: SuiteLaunch | PartialRun): string {
	return JSON.stringify(launch).replaceAll('$', '\\u0024');
}

export function unsealLaunch<T extends SuiteLaunch | PartialRun = SuiteLaunch>(text: string): T {
	return JSON.parse(text) as T;
}
