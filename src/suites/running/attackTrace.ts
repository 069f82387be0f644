import { listStrings } from '#base/records/listStrings.ts';
import { getField, getFieldText, toFields } from '#base/records/plainValues.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import { type AttackEvidence, RunTrace } from './runTrace.ts';

/** Maximum number of characters of a run to search. An attack that makes it longer is found by its limits. */
const mostCharacters = 20_000_000;

/** The trace of an attacked run, with what the success of the attack is searched in. */
export class AttackTrace extends RunTrace {
	readonly #evidence = { prompts: [] as string[], requests: [] as string[], reports: [] as string[] };
	#characters = 0;

	override add(event: WorkflowEvent): void {
		super.add(event);
		const data = toFields(getField(event, 'data'));
		const process = toFields(data['process_data']);
		const { prompts, requests, reports } = this.#evidence;
		this.#addText(prompts, process['prompts']);
		this.#addText(requests, process['request']);
		this.#addText(reports, data['outputs']);
		this.#addText(reports, getFieldText(data, 'error'));
		// entries of agents' logs
		this.#addText(reports, data['data']);
	}

	override get evidence(): AttackEvidence {
		return this.#evidence;
	}

	#addText(texts: string[], value: unknown): void {
		const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : listStrings(value).join('\n');
		if (text !== '' && this.#characters < mostCharacters) {
			this.#characters += text.length;
			texts.push(text);
		}
	}
}
