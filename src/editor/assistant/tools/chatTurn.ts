import type { ReplyStep } from '../../chat/endpoints/endpoint.ts';

/** Collects a turn of a chat agent: its answer, run and conversation. */
export class AssistantTurn {
	readonly #agent: string;
	/** Texts by part index. Undefined for parts that aren't text. */
	readonly #texts: (string | undefined)[] = [];
	readonly #forms: string[] = [];
	#run: string | undefined;
	#conversation: string | undefined;
	#finish: string | undefined;

	constructor(agent: string) {
		this.#agent = agent;
	}

	handleStep(step: ReplyStep): void {
		switch (step.type) {
			case 'part':
				this.#texts.push(step.part.kind === 'text' ? step.part.text : undefined);
				if (step.part.kind === 'form') {
					this.#forms.push(step.part.form.title);
				}
				break;
			case 'text':
				this.#updateText(step.index, text => text + step.text);
				break;
			case 'patch':
				this.#updateText(step.index, text => step.fields.text ?? text);
				break;
			case 'whole':
				this.#texts.splice(0, this.#texts.length, ...this.#texts.map((_, at) => (at === step.index ? step.text : '')));
				break;
			case 'run':
				this.#run = step.id;
				break;
			case 'conversation':
				this.#conversation = step.id;
				break;
			case 'finish':
				this.#finish = step.finish.reason;
				break;
		}
	}

	#updateText(index: number, change: (text: string) => string): void {
		const text = this.#texts[index];
		if (text !== undefined) {
			this.#texts[index] = change(text);
		}
	}

	/** The service's ID of the run, if known. */
	get run(): string | undefined {
		return this.#run;
	}

	/** Returns the result for the model. `error` is the message of a failed turn. */
	createResult(error?: string): object {
		const status =
			error !== undefined ? 'failed' : this.#finish === undefined ? 'lost' : this.#finish === 'paused' ? 'paused' : 'succeeded';
		const answer = this.#texts.join('');
		return {
			agent: this.#agent,
			...(this.#run !== undefined && { run: this.#run }),
			status,
			...(error !== undefined && { error }),
			...(answer !== '' && { answer }),
			...(this.#conversation !== undefined && { conversation: this.#conversation }),
			...(this.#forms.length > 0 && { waits_for: this.#forms }),
		};
	}
}
