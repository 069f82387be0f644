import type { JournalEntry } from '../events/journalEntry.ts';
import { readForm } from './readForm.ts';
import type { FormSummary, RunForm } from './runForm.ts';

/** Events that close the form of a node: it was answered or expired. */
const closing = new Set(['human_input_form_filled', 'human_input_form_timeout']);

/** Maximum number of open forms per run, because all of them are reported and saved each time one is added. */
const mostForms = 100;

/** Folds a run's journal entries into the forms that it is waiting for. */
export class RunForms {
	readonly #open = new Map<string, RunForm>();

	/** Unanswered forms, in order of arrival. */
	get open(): readonly RunForm[] {
		return [...this.#open.values()];
	}

	/** Returns the open forms that are also open in the run's record: answers given here are noted only in the record. */
	findOpenForms({ forms }: { readonly forms?: readonly FormSummary[] }): readonly RunForm[] {
		return forms === undefined ? [] : this.open.filter(({ id }) => forms.some(form => form.id === id));
	}

	/** Processes the run's next journal entry. Returns true if the open forms changed. */
	applyEntry(entry: JournalEntry): boolean {
		if ('event' in entry) {
			const { event } = entry.event;
			const data = 'data' in entry.event ? entry.event.data : undefined;
			if (event === 'human_input_required') {
				return this.#addForm(data);
			}
			if (event === 'workflow_paused') {
				return this.#addPausedForms(data);
			}
			if (closing.has(event)) {
				return this.#closeForm((data as { node_id?: unknown } | null | undefined)?.node_id);
			}
			return event === 'workflow_finished' && this.#clearForms();
		}
		if ('detail' in entry) {
			// the response of a blocking run nests the detail
			const { data, status } = entry.detail as { data?: { status?: unknown }; status?: unknown };
			return (data?.status ?? status) === 'paused' ? this.#addPausedForms(data ?? entry.detail) : this.#clearForms();
		}
		return false;
	}

	/** Removes a form that was answered here. Returns true if it was open. */
	removeAnsweredForm(id: string): boolean {
		return this.#open.delete(id);
	}

	#addForm(data: unknown): boolean {
		const form = readForm(data);
		return form !== undefined && this.#storeForm(form);
	}

	/** Adds the forms that the reasons of a pause contain but no event has reported. */
	#addPausedForms(data: unknown): boolean {
		const reasons = (data as { reasons?: unknown } | null | undefined)?.reasons;
		const forms = (Array.isArray(reasons) ? reasons : []).flatMap(reason => (hasForm(reason) ? (readForm(reason) ?? []) : []));
		return forms.filter(form => !this.#open.has(form.id) && this.#storeForm(form)).length > 0;
	}

	/** Returns true if there was room for the form. */
	#storeForm(form: RunForm): boolean {
		const fits = this.#open.size < mostForms || this.#open.has(form.id);
		if (fits) {
			this.#open.set(form.id, form);
		}
		return fits;
	}

	#closeForm(nodeId: unknown): boolean {
		const form = this.open.find(each => each.nodeId === nodeId);
		return form !== undefined && this.#open.delete(form.id);
	}

	#clearForms(): boolean {
		const had = this.#open.size > 0;
		this.#open.clear();
		return had;
	}
}

function hasForm(reason: unknown): boolean {
	return typeof reason === 'object' && reason !== null && 'form_content' in reason;
}
