import type { InputsTarget } from '#pages/inputs/inputsMessages.ts';
import type { RunPresenter } from '../../runs/following/runPresenter.ts';
import type { RunsCore } from '../../runs/runsCore.ts';

/** Functions for running and showing drafts of deployments. */
export type DraftWork = ReturnType<typeof createDraftWork>;

export function createDraftWork(runs: RunsCore) {
	const { records, requests, files, presenter, control } = runs;
	const run: RunPresenter['run'] = (...asked) => presenter.run(...asked);
	return {
		/** Executes a run until it ends, and shows it like any other run. */
		run,
		runs: records,
		requests,
		runFiles: files,
		/** Shows the form for a target's inputs. The form also starts the run. */
		fillIn: async (target: InputsTarget): Promise<void> => (await runs.inputForms()).showForm(target),
		/** Shows a run in the inspector. The run can be one of this editor or of a service. */
		inspect: (key: string) => runs.inspectRun(key),
		/** Looks up runs again whose connection couldn't be reached. */
		resume: (connectionId: string): void => control.resumeRuns(connectionId),
	};
}
