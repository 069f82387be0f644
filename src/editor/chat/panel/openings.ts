import type { AgentParameters } from '#contract/agents.ts';
import type { Opening } from '#pages/chat/panel/panelProtocol.ts';
import { createInputFields, readParameterVariables } from '#runs/forms/inputFields.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import type { Chat } from '../transcripts/chat.ts';

interface KnownParameters {
	readonly question: string;
	/** See {@link Openings.expire}. */
	readonly version: number;
	readonly asked: Promise<AgentParameters | undefined>;
	readonly parameters?: AgentParameters;
}

/** Caches the openings and input fields of the chats' agents, and fetches them in the background. */
export class Openings {
	readonly #ask: (chat: Chat) => Promise<AgentParameters | undefined>;
	readonly #known = new WeakMap<Chat, KnownParameters>();
	#version = 0;

	/** `ask` fetches the parameters of a chat's agent, or undefined if they can't be read now. It must not reject. */
	constructor(ask: (chat: Chat) => Promise<AgentParameters | undefined>) {
		this.#ask = ask;
	}

	/** Fetches everything again when it's needed, because agents have changed. What is known is used until then. */
	expire(): void {
		this.#version++;
	}

	/** Returns the chat's known opening. The chat refreshes when more is known. */
	getOpening(chat: Chat): Opening | undefined {
		const { settings, turns } = chat.transcript;
		const parameters = turns.length > 0 ? undefined : this.getParameters(chat);
		return parameters && toOpening(parameters, settings.agent?.['inputs']);
	}

	/** Returns the fields for the agent's inputs, or `undefined` if they aren't known yet. */
	getInputFields(chat: Chat): readonly FormField[] | undefined {
		const parameters = this.getParameters(chat);
		const inputs = parameters && readParameterVariables(parameters);
		return inputs && createInputFields(inputs.variables, inputs.largest);
	}

	/** Returns the agent's parameters, or `undefined` if they aren't known yet. */
	getParameters(chat: Chat): AgentParameters | undefined {
		return this.#requestParameters(chat)?.parameters;
	}

	/** Waits for the agent's parameters. Resolves to `undefined` if they can't be read now. */
	async waitForParameters(chat: Chat): Promise<AgentParameters | undefined> {
		return this.#requestParameters(chat)?.asked;
	}

	#requestParameters(chat: Chat) {
		const { endpoint, connectionId, models } = chat.transcript;
		if (endpoint !== 'agent' || !models.agent) {
			return undefined;
		}
		const question = JSON.stringify([connectionId, models.agent]);
		const last = this.#known.get(chat);
		const known = last?.question === question ? last : undefined;
		const version = this.#version;
		if (known?.version === version) {
			return known;
		}
		const asked = this.#ask(chat);
		const asking = { ...known, question, version, asked };
		this.#known.set(chat, asking);
		void asked.then(parameters => {
			if (this.#known.get(chat) !== asking) {
				return;
			}
			if (!parameters) {
				if (known) {
					this.#known.set(chat, known);
				} else {
					this.#known.delete(chat);
				}
				return;
			}
			this.#known.set(chat, { question, version, asked, parameters });
			chat.refreshViews();
		});
		return this.#known.get(chat);
	}
}

/** Creates an opening from the strings in an agent's parameters. Checks all types, because services may send anything. */
function toOpening(
	{ opening_statement: statement, suggested_questions: questions, user_input_form: form }: AgentParameters,
	given: unknown,
): Opening | undefined {
	const fields = (Array.isArray(form) ? form : []).flatMap(entry => Object.values(entry ?? {}));
	const values = new Map<string, unknown>(fields.map(field => [field?.variable, (field as { default?: unknown } | undefined)?.default]));
	for (const [name, value] of Object.entries(given ?? {})) {
		values.set(name, value);
	}
	const opening = {
		statement: typeof statement === 'string' ? fillPlaceholders(statement, values) : '',
		questions: Array.isArray(questions) ? questions.filter(each => typeof each === 'string' && each !== '') : [],
	};
	return opening.statement === '' && opening.questions.length === 0 ? undefined : opening;
}

function fillPlaceholders(statement: string, values: ReadonlyMap<string, unknown>): string {
	return statement.replace(/\{\{(\w{1,30})\}\}/g, (whole, name: string) => {
		const value = values.get(name);
		return value === undefined || value === null || typeof value === 'object' ? whole : String(value);
	});
}
