import { formatMessage, type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { Translate } from '#base/text/localization.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import { addEntryCosts, type RunCosts } from '../events/runCosts.ts';
import { summarizeForm } from '../forms/runForm.ts';
import { RunForms } from '../forms/runForms.ts';
import { getErrorClause, translateErrorClause } from './runFailure.ts';
import type { KeptOfRun, RunObserver } from './runFollowerParts.ts';

/** Creates a note of a run. `clause`: message of the note's cause, without a final period. */
type CreateNote = (clause: string) => LocalizableMessage;

/** Notes in a run's journal about how it was followed. */
export const runNotes = {
	cause: clause => localizable`${clause}`,
	maybeContinued: () => localizable`The run may have continued. Looking it up by ID.`,
	stillActive: () => localizable`The run was still active when the editor closed. Looking it up by ID.`,
	stopPending: () => localizable`Stop requested. It will be sent once the service reports the task ID.`,
	stopRefused: clause => localizable`Couldn't stop the run: ${clause}. It's still running.`,
	stopAccepted: () => localizable`The service accepted the stop request. Waiting for the run to end.`,
	streamEnded: () => localizable`The stream ended before the run did. Looking up the run by ID.`,
	streamFailed: clause => localizable`The stream ended before the run did: ${clause}. Looking up the run by ID.`,
	abandoned: () =>
		localizable`No longer waiting. A blocking run can't be stopped: it continues on the service, and its logs will show the result.`,
	unknownEnd: clause => localizable`Couldn't find out how the run ended: ${clause}`,
	lookupFailed: clause => localizable`Couldn't look up the run: ${clause}. Retrying.`,
} satisfies Record<string, CreateNote>;

/** Passes journal entries of a run to its observer, and keeps the forms that the run waits for. */
export class RunReport {
	forms = new RunForms();
	costs: RunCosts | undefined;
	readonly #observer: RunObserver;
	readonly #t: Translate;

	constructor(observer: RunObserver, t: Translate) {
		this.#observer = observer;
		this.#t = t;
	}

	/** Continues with what is known about a run that is followed again. */
	continueFrom({ forms, costs }: KeptOfRun): void {
		this.forms = forms;
		this.costs = costs;
	}

	addEntry(entry: JournalEntry): void {
		this.#observer.onEntry(entry);
		const costs = addEntryCosts(this.costs, entry);
		if (costs !== this.costs) {
			this.costs = costs;
			this.#observer.changeRecord({ costs });
		}
		if (this.forms.applyEntry(entry)) {
			this.#observer.changeRecord({ forms: this.forms.open.map(summarizeForm) });
		}
	}

	addNote(createNote: CreateNote, error?: unknown): void {
		const note = formatMessage(createNote(getErrorClause(error)));
		this.#observer.onEntry({ at: Date.now(), note, message: createNote(translateErrorClause(error ?? '', this.#t)) });
	}
}
