import type { InputsTarget } from '#pages/inputs/inputsProtocol.ts';
import type { Runs } from '#runs/runTypes.ts';
import type { RunFileService } from '../../runs/files/runFileService.ts';
import type { KeptRequests } from '../../runs/following/keptRequests.ts';
import type { RunPresenter } from '../../runs/following/runPresenter.ts';
import type { RunsCore } from '../../runs/runsCore.ts';

/** What drafts of deployments are run and shown with. */
export interface DraftWork {
	/** Runs to the end, shown as any run. */
	readonly run: RunPresenter['run'];
	readonly runs: Runs;
	readonly requests: KeptRequests;
	readonly runFiles: RunFileService;
	/** Shows the form for the inputs of a target; its run begins from there. */
	fillIn(target: InputsTarget): Promise<void>;
	/** Shows a run in the inspector, of this editor or of a service. */
	inspect(key: string): Promise<void>;
	/** Looks runs up again that a connection could not be asked about. */
	resume(connectionId: string): void;
}

export function draftWorkOf(runs: RunsCore): DraftWork {
	const { records, requests, files, presenter, control } = runs;
	return {
		run: (...asked) => presenter.run(...asked),
		runs: records,
		requests,
		runFiles: files,
		fillIn: async target => (await runs.inputForms()).show(target),
		inspect: key => runs.inspect(key),
		resume: connectionId => control.resume(connectionId),
	};
}
