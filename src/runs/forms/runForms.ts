import type { JournalEntry } from '../events/journalEntry.ts';
import { readForm } from './readForm.ts';
import type { FormSummary, RunForm } from './runForm.ts';

/** Events that say that the form of a node was answered, or that it was left alone for too long. */
const closing = new Set(['human_input_form_filled', 'human_input_form_timeout']);

/** Open forms of a run that are kept: all of them are reported and saved again with each that comes. */
const mostForms = 100;

/** Folds what came of a run, entry by entry, into the forms that it waits for. */
export class RunForms {
	readonly #open = new Map<string, RunForm>();

	/** Forms that nobody has answered yet, in the order in which they came. */
	get open(): readonly RunForm[] {
		return [...this.#open.values()];
	}

	/** Of these, those that a run's record has open: what was answered here is told nowhere else. */
	openIn({ forms }: { readonly forms?: readonly FormSummary[] }): readonly RunForm[] {
		return forms === undefined ? [] : this.open.filter(({ id }) => forms.some(form => form.id === id));
	}

	/** Takes the next entry of the run's journal. Returns whether the open forms are others now. */
	take(entry: JournalEntry): boolean {
		if ('event' in entry) {
			const { event } = entry.event;
			const data = 'data' in entry.event ? entry.event.data : undefined;
			if (event === 'human_input_required') {
				return this.#add(data);
			}
			if (event === 'workflow_paused') {
				return this.#addAll(data);
			}
			if (closing.has(event)) {
				return this.#close((data as { node_id?: unknown } | null | undefined)?.node_id);
			}
			return event === 'workflow_finished' && this.#clear();
		}
		if ('detail' in entry) {
			// the answer of a blocking run has the detail one level down
			const { data, status } = entry.detail as { data?: { status?: unknown }; status?: unknown };
			return (data?.status ?? status) === 'paused' ? this.#addAll(data ?? entry.detail) : this.#clear();
		}
		return false;
	}

	/** A form was answered by us. Returns whether it was open. */
	answered(id: string): boolean {
		return this.#open.delete(id);
	}

	#add(data: unknown): boolean {
		const form = readForm(data);
		return form !== undefined && this.#keep(form);
	}

	/** Forms that the reasons of a pause name and that no event told of. */
	#addAll(data: unknown): boolean {
		const reasons = (data as { reasons?: unknown } | null | undefined)?.reasons;
		const forms = (Array.isArray(reasons) ? reasons : []).flatMap(reason => (hasForm(reason) ? (readForm(reason) ?? []) : []));
		return forms.filter(form => !this.#open.has(form.id) && this.#keep(form)).length > 0;
	}

	/** Returns whether there was room for the form. */
	#keep(form: RunForm): boolean {
		const fits = this.#open.size < mostForms || this.#open.has(form.id);
		if (fits) {
			this.#open.set(form.id, form);
		}
		return fits;
	}

	#close(nodeId: unknown): boolean {
		const form = this.open.find(each => each.nodeId === nodeId);
		return form !== undefined && this.#open.delete(form.id);
	}

	#clear(): boolean {
		const had = this.#open.size > 0;
		this.#open.clear();
		return had;
	}
}

function hasForm(reason: unknown): boolean {
	return typeof reason === 'object' && reason !== null && 'form_content' in reason;
}
