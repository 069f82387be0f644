import type { Mocks } from '#contract/mocks.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { Secrets } from './secrets.ts';

/** What is debugged of a suite: a case of it, or a row of its dataset. */
export interface SuiteLaunch {
	/** As a run file has it; absent where the case is one. */
	readonly body?: object;
	/** Fields of the request as they are sent, made already: those of a row, in whose texts nothing stands for anything else. */
	readonly values?: WorkflowRunRequest;
	/** Secrets in the values: pairs of {@link Secrets}. */
	readonly secrets?: readonly (readonly [string, string])[];
	readonly mocks?: Mocks;
}

/** As a text of a launch configuration in which the editor finds no variable: in all others it would fill in its own, and run the commands that they name. */
export function sealed(launch: SuiteLaunch): string {
	return JSON.stringify(launch).replaceAll('$', '\\u0024');
}

/** What was {@link sealed}. */
export function unsealed(text: string): SuiteLaunch {
	return JSON.parse(text) as SuiteLaunch;
}
