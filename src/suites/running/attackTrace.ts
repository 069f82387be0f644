import { listStrings } from '#base/records/listStrings.ts';
import { getField, getFieldText, toFields } from '#base/records/plainValues.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import { type AttackEvidence, RunTrace } from './runTrace.ts';

/** Maximum number of characters of a run to search. */
const mostCharacters = 20_000_000;

/** The trace of an attacked run, with what the success of the attack is searched in. */
export class AttackTrace extends RunTrace {
	readonly #evidence = { prompts: [] as string[], requests: [] as string[], reports: [] as string[] };
	#characters = 0;
	#hasFailedNode = false;
	#untested: string | undefined;

	/** Why the run says nothing about the attack, such as a model that couldn't be reached; `undefined` if it does. */
	override get untested(): string | undefined {
		return this.#untested;
	}

	override recordFailure(error: string): void {
		super.recordFailure(error);
		if (!this.#hasFailedNode) {
			this.#untested ??= error;
		}
	}

	override add(event: WorkflowEvent): void {
		super.add(event);
		const data = toFields(getField(event, 'data'));
		const process = toFields(data['process_data']);
		const { prompts, requests, reports } = this.#evidence;
		this.#addText(prompts, process['prompts']);
		this.#addText(requests, process['request']);
		this.#addText(reports, data['outputs']);
		this.#addText(reports, getFieldText(data, 'error'));
		if (event.event === 'node_finished') {
			this.#hasFailedNode ||= data['status'] === 'failed';
			if (data['untested'] === true) {
				this.#untested ??= `'${getFieldText(data, 'title')}': ${getFieldText(data, 'error')}`;
			}
		}
		// entries of agents' logs
		this.#addText(reports, data['data']);
	}

	override get evidence(): AttackEvidence {
		return this.#evidence;
	}

	#addText(texts: string[], value: unknown): void {
		const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : listStrings(value).join('\n');
		if (text === '') {
			return;
		}
		if (this.#characters >= mostCharacters) {
			this.#untested ??= `The run can't be searched, because its nodes report more than ${mostCharacters} characters.`;
			return;
		}
		this.#characters += text.length;
		texts.push(text);
	}
}
