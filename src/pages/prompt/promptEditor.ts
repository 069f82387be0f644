import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { fill } from '../shared/fill.ts';
import type { EditedPrompt, PromptMessage, PromptParameters } from './promptMessages.ts';
import type { PromptStrings } from './promptStrings.ts';
import { listReferences } from './promptText.ts';

interface PromptEditor {
	readonly prompt: EditedPrompt;
	readonly strings: PromptStrings;
	/** Called with the prompt after each change. */
	change(prompt: EditedPrompt): void;
	/** Focuses a message's text once it's rendered. */
	focusMessage(id: string): void;
}

const roles = ['system', 'user', 'assistant'] as const;

/** Renders the messages, variables and parameters of a prompt. */
export function renderPromptEditor(editor: PromptEditor): unknown {
	const { prompt, strings } = editor;
	return html`<section class="prompt" aria-labelledby="promptTitle">
		<h2 id="promptTitle">${strings.prompt}</h2>
		${repeat(
			prompt.messages,
			({ id }) => id,
			message => renderMessage(message, editor),
		)}
		<div class="row"><button type="button" class="wordButton" @click=${() => addMessage(editor)}><span class="codicon codicon-add" aria-hidden="true"></span>${strings.addMessage}</button></div>
		${renderVariables(editor)}
		${renderParameters(editor)}
	</section>`;
}

function addMessage({ prompt, change, focusMessage }: PromptEditor): void {
	const role = prompt.messages.at(-1)?.role === 'user' ? 'assistant' : 'user';
	const id = crypto.randomUUID();
	change({ ...prompt, messages: [...prompt.messages, { id, role, text: '' }] });
	focusMessage(id);
}

function renderMessage(message: PromptMessage, { prompt, strings, change, focusMessage }: PromptEditor): unknown {
	const { id, role, text, fixed } = message;
	const replace = (fields: Partial<PromptMessage>) =>
		change({ ...prompt, messages: prompt.messages.map(each => (each.id === id ? { ...each, ...fields } : each)) });
	const remove = () => {
		const at = prompt.messages.indexOf(message);
		const messages = prompt.messages.toSpliced(at, 1);
		change({ ...prompt, messages });
		const next = messages[Math.min(at, messages.length - 1)];
		if (next) {
			focusMessage(next.id);
		}
	};
	const label = fill(strings.message, strings.roles[role]);
	return html`<div class="message" role="group" aria-label=${label}>
		<div class="messageHead">
			<select aria-label=${strings.role} .value=${live(role)} ?disabled=${fixed !== undefined} @change=${(event: Event) => replace({ role: (event.target as HTMLSelectElement).value as PromptMessage['role'] })}>
				${roles.map(each => html`<option value=${each} ?selected=${each === role}>${strings.roles[each]}</option>`)}
			</select>
			<span class="grow"></span>
			<button type="button" class="iconButton" title=${strings.removeMessage} aria-label=${strings.removeMessage} @click=${remove}><span class="codicon codicon-trash" aria-hidden="true"></span></button>
		</div>
		<textarea id="message-${id}" rows="2" dir="auto" spellcheck="true" aria-label=${label} aria-describedby=${fixed ? `fixed-${id}` : nothing} placeholder=${strings.messageHint} .value=${live(text)} @input=${(event: Event) => replace({ text: (event.target as HTMLTextAreaElement).value, ...(fixed && { edited: true }) })}></textarea>
		${fixed ? html`<p class="dim" id="fixed-${id}">${strings.fixed[fixed]}</p>` : nothing}
	</div>`;
}

function renderVariables({ prompt, strings, change }: PromptEditor): unknown {
	const names = listReferences(prompt.messages);
	if (names.length === 0) {
		return nothing;
	}
	const values = new Map(prompt.variables.map(({ name, value }) => [name, value]));
	const setValue = (name: string, value: string) =>
		change({ ...prompt, variables: [...prompt.variables.filter(each => each.name !== name), { name, value, edited: true }] });
	return html`<section class="variables" aria-labelledby="variablesTitle">
		<h2 id="variablesTitle">${strings.variables}</h2>
		<p class="dim">${strings.variablesHelp}</p>
		${repeat(
			names,
			name => name,
			name =>
				html`<label class="variable"><code>${name}</code><textarea rows="1" dir="auto" .value=${live(values.get(name) ?? '')} @input=${(event: Event) => setValue(name, (event.target as HTMLTextAreaElement).value)}></textarea></label>`,
		)}
	</section>`;
}

type NumberName = Exclude<keyof PromptParameters, 'stop'>;

const steps: Readonly<Record<NumberName, string>> = { temperature: '0.1', topP: '0.05', topK: '1', maxTokens: '1' };

function renderParameters({ prompt, strings, change }: PromptEditor): unknown {
	const { parameters } = prompt;
	const setParameter = (name: keyof PromptParameters, value: PromptParameters[typeof name]) => {
		const { [name]: _, ...others } = parameters;
		change({ ...prompt, parameters: { ...others, ...(value !== undefined && { [name]: value }) } });
	};
	const setNumber = (name: NumberName, input: HTMLInputElement) => {
		const number = input.valueAsNumber;
		setParameter(name, Number.isFinite(number) ? number : undefined);
	};
	const readStop = (text: string) => {
		const lines = text.split('\n').filter(line => line !== '');
		return lines.length > 0 ? lines : undefined;
	};
	return html`<details class="parameters" ?open=${Object.keys(parameters).length > 0}>
		<summary>${strings.parameters}</summary>
		<div class="parameterFields">
			${(Object.keys(steps) as NumberName[]).map(
				name =>
					html`<label>${strings.parameterNames[name]}<input type="number" min="0" step=${steps[name]} placeholder=${strings.unset} .value=${String(parameters[name] ?? '')} @change=${(event: Event) => setNumber(name, event.target as HTMLInputElement)}></label>`,
			)}
			<label class="stopTexts">${strings.stopTexts}<textarea rows="1" .value=${(parameters.stop ?? []).join('\n')} @change=${(event: Event) => setParameter('stop', readStop((event.target as HTMLTextAreaElement).value))}></textarea></label>
		</div>
	</details>`;
}
