import type { AgentParameters } from '#contract/agents.ts';
import type { Opening } from '#pages/chat/panel/panelProtocol.ts';
import { inputFields, parameterVariables } from '#runs/forms/inputFields.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import type { Chat } from '../transcripts/chat.ts';

/** Knows what the agents of chats begin with and take besides messages, and finds it out in the background. */
export class Openings {
	readonly #ask: (chat: Chat) => Promise<AgentParameters | undefined>;
	readonly #known = new WeakMap<
		Chat,
		{ readonly question: string; readonly asked: Promise<AgentParameters | undefined>; readonly parameters?: AgentParameters }
	>();

	/** `ask` gives what the chat's agent says of itself; undefined where that cannot be known now. It does not reject. */
	constructor(ask: (chat: Chat) => Promise<AgentParameters | undefined>) {
		this.#ask = ask;
	}

	/** What the chat begins with, as far as that is known; the chat changes when more is. */
	of(chat: Chat): Opening | undefined {
		const { settings, turns } = chat.transcript;
		const parameters = turns.length > 0 ? undefined : this.parameters(chat);
		return parameters && openingOf(parameters, settings.agent?.['inputs']);
	}

	/** The fields for what the agent takes besides a message; `undefined` where that is not known, or not yet. */
	fields(chat: Chat): readonly FormField[] | undefined {
		const parameters = this.parameters(chat);
		const told = parameters && parameterVariables(parameters);
		return told && inputFields(told.variables, told.largest);
	}

	/** What the agent tells of itself; `undefined` where that is not known, or not yet. */
	parameters(chat: Chat): AgentParameters | undefined {
		return this.#ofAgent(chat)?.parameters;
	}

	/** The same once it is known; `undefined` where it cannot be known now. */
	async asked(chat: Chat): Promise<AgentParameters | undefined> {
		return this.#ofAgent(chat)?.asked;
	}

	#ofAgent(chat: Chat) {
		const { endpoint, connectionId, models } = chat.transcript;
		if (endpoint !== 'agent' || !models.agent) {
			return undefined;
		}
		const question = JSON.stringify([connectionId, models.agent]);
		const known = this.#known.get(chat);
		if (known?.question === question) {
			return known;
		}
		const asked = this.#ask(chat);
		const asking = { question, asked };
		this.#known.set(chat, asking);
		void asked.then(parameters => {
			if (this.#known.get(chat) !== asking) {
				return;
			}
			if (!parameters) {
				this.#known.delete(chat);
				return;
			}
			this.#known.set(chat, { question, asked, parameters });
			chat.refresh();
		});
		return this.#known.get(chat);
	}
}

/** Of what a service answers nothing is taken for granted: only texts are shown. */
function openingOf(
	{ opening_statement: statement, suggested_questions: questions, user_input_form: form }: AgentParameters,
	given: unknown,
): Opening | undefined {
	const fields = (Array.isArray(form) ? form : []).flatMap(entry => Object.values(entry ?? {}));
	const values = new Map<string, unknown>(fields.map(field => [field?.variable, (field as { default?: unknown } | undefined)?.default]));
	for (const [name, value] of Object.entries(given ?? {})) {
		values.set(name, value);
	}
	const opening = {
		statement: typeof statement === 'string' ? filled(statement, values) : '',
		questions: Array.isArray(questions) ? questions.filter(each => typeof each === 'string' && each !== '') : [],
	};
	return opening.statement === '' && opening.questions.length === 0 ? undefined : opening;
}

function filled(statement: string, values: ReadonlyMap<string, unknown>): string {
	return statement.replace(/\{\{(\w{1,30})\}\}/g, (whole, name: string) => {
		const value = values.get(name);
		return value === undefined || value === null || typeof value === 'object' ? whole : String(value);
	});
}
