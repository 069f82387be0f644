import type { InputsTarget } from '#pages/inputs/inputsMessages.ts';
import type { RunPresenter } from '../../runs/following/runPresenter.ts';
import type { RunsCore } from '../../runs/runsCore.ts';

/** What drafts of deployments are run and shown with. */
export type DraftWork = ReturnType<typeof draftWorkOf>;

export function draftWorkOf(runs: RunsCore) {
	const { records, requests, files, presenter, control } = runs;
	const run: RunPresenter['run'] = (...asked) => presenter.run(...asked);
	return {
		/** Runs to the end, shown as any run. */
		run,
		runs: records,
		requests,
		runFiles: files,
		/** Shows the form for the inputs of a target; its run starts from there. */
		fillIn: async (target: InputsTarget): Promise<void> => (await runs.inputForms()).show(target),
		/** Shows a run in the inspector, of this editor or of a service. */
		inspect: (key: string) => runs.inspect(key),
		/** Looks runs up again that a connection could not be asked about. */
		resume: (connectionId: string): void => control.resume(connectionId),
	};
}
