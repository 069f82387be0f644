import { html, nothing } from 'lit';
import { fill } from '../shared/fill.ts';
import type { FromPanel, PanelHead, PanelPreferences, SettingField } from './panel/panelProtocol.ts';
import type { PanelStrings } from './panel/panelStrings.ts';

interface SettingsContext {
	readonly strings: PanelStrings;
	readonly preferences: PanelPreferences;
	post(message: FromPanel): void;
}

/** Renders the settings of the chat: the system prompt, and the request fields of its endpoint under their own names. */
export function renderSettings(head: PanelHead, context: SettingsContext): unknown {
	const { strings, post } = context;
	return html`<section class="settings" id="settings" aria-label=${strings.settings}>
		${
			head.choosesEndpoint
				? html`<div class="field">
						<span id="endpoint">${strings.endpoint}</span>
						<button type="button" class="pick endpoint" aria-labelledby="endpoint endpoint-name" @click=${() => post({ type: 'pick', what: 'endpoint' })}>
							<span class="pickText" id="endpoint-name">${head.endpointName}</span><span class="codicon codicon-chevron-down" aria-hidden="true"></span>
						</button>
					</div>`
				: nothing
		}
		${
			head.takesSystem
				? html`<div class="field">
						<label for="system">${strings.systemPrompt}</label>
						<textarea id="system" rows="3" dir="auto" .value=${head.system} aria-describedby="system-help" @change=${(event: Event) => post({ type: 'system', text: (event.target as HTMLTextAreaElement).value })}></textarea>
						<p class="help" id="system-help">${strings.systemHelp}</p>
						${renderInstructions(head, context)}
					</div>`
				: nothing
		}
		${head.fields.map(field => renderField(field, head, context))}
	</section>`;
}

/** Renders whether models get `AGENTS.md` of the workspace, with a link to each of these files. */
function renderInstructions({ instructions }: PanelHead, { strings, post }: SettingsContext): unknown {
	return instructions
		? html`<p class="instructions">
				<label><input type="checkbox" .checked=${instructions.on} @change=${(event: Event) => post({ type: 'instructions', on: (event.target as HTMLInputElement).checked })}> ${strings.instructions}</label>
				${instructions.files.map(uri => html`<button type="button" class="linkButton" @click=${() => post({ type: 'openFile', uri })}>${strings.openInstructions}</button>`)}
			</p>`
		: nothing;
}

function renderField(field: SettingField, head: PanelHead, context: SettingsContext): unknown {
	const id = `setting-${field.name}`;
	const problem = head.problems[field.name];
	const value = head.settings[field.name];
	return html`<div class="field">
		<label for=${id}><code>${field.name}</code></label>
		${field.kind === 'safety' ? renderSafetySetting(id, field, value, context) : field.kind === 'thinking' ? renderThinkingSetting(id, field, value, context) : renderTextControl(id, field, value, problem, context)}
		<p class="help" id="${id}-help">${field.help}</p>
		${problem ? html`<p class="wrong" id="${id}-problem" role="alert">${problem}</p>` : nothing}
	</div>`;
}

function renderTextControl(
	id: string,
	field: SettingField,
	value: unknown,
	problem: string | undefined,
	{ strings, post }: SettingsContext,
): unknown {
	const onChange = (event: Event) => {
		const box = event.target as HTMLInputElement | HTMLTextAreaElement;
		const read = parseSettingValue(field, box.value);
		const message = 'problem' in read ? fill(strings.noJson, read.problem) : '';
		const shown = box.closest('.field')?.querySelector<HTMLElement>('.local');
		if (shown) {
			shown.textContent = message;
			shown.hidden = message === '';
		}
		if ('value' in read) {
			post({ type: 'setting', name: field.name, value: read.value });
		}
	};
	const described = problem ? `${id}-help ${id}-problem` : `${id}-help`;
	const text = formatSettingValue(field, value);
	return field.kind === 'number'
		? html`<input id=${id} type="text" inputmode="decimal" .value=${text} placeholder=${field.placeholder} aria-describedby=${described} aria-invalid=${problem ? 'true' : 'false'} @change=${onChange}>`
		: html`<textarea id=${id} rows=${field.kind === 'list' ? 2 : 3} dir=${field.kind === 'list' ? 'auto' : 'ltr'} spellcheck="false" .value=${text} placeholder=${field.placeholder} aria-describedby=${described} aria-invalid=${problem ? 'true' : 'false'} @change=${onChange}></textarea>
			<p class="wrong local" role="alert" hidden></p>`;
}

/** Parses the text of a box to a value for the request. An empty box omits the field; a text that isn't a number is left to validation. */
function parseSettingValue(field: SettingField, text: string): { value: unknown } | { problem: string } {
	const trimmed = text.trim();
	if (trimmed === '') {
		return { value: null };
	}
	switch (field.kind) {
		case 'number':
			return { value: Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed) };
		case 'list':
			return { value: text.split('\n').filter(line => line !== '') };
		default:
			try {
				return { value: JSON.parse(trimmed) };
			} catch (error) {
				return { problem: error instanceof Error ? error.message : String(error) };
			}
	}
}

function formatSettingValue(field: SettingField, value: unknown): string {
	if (value === undefined) {
		return '';
	}
	if (field.kind === 'list' && Array.isArray(value)) {
		return value.join('\n');
	}
	return field.kind === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

interface ThinkingSetting {
	type?: string;
	budget_tokens?: number;
}

/** Returns the value for the thinking setting; null if the service decides. */
function toThinkingSetting(type: string, budget: string, placeholder: string): ThinkingSetting | null {
	if (type === '') {
		return null;
	}
	return type === 'enabled' ? { type, budget_tokens: Number(budget.trim() || placeholder) } : { type };
}

function renderThinkingSetting(id: string, field: SettingField, value: unknown, { strings, post }: SettingsContext): unknown {
	const { type = '', budget_tokens: budget } = (value ?? {}) as ThinkingSetting;
	const onChange = (event: Event) => {
		const group = (event.currentTarget as HTMLElement).closest('.thinkingSetting');
		const chosen = group?.querySelector('select')?.value ?? '';
		const typed = group?.querySelector('input')?.value ?? '';
		post({ type: 'setting', name: field.name, value: toThinkingSetting(chosen, typed, field.placeholder) });
	};
	const ways = Object.entries(strings.thinkingWays);
	const others = type === '' || ways.some(([way]) => way === type) ? [] : [[type, type] as const];
	return html`<div class="thinkingSetting">
		<select id=${id} aria-describedby="${id}-help" @change=${onChange}>
			<option value="" ?selected=${type === ''}>${strings.unset}</option>
			${[...ways, ...others].map(([way, text]) => html`<option value=${way} ?selected=${way === type}>${text}</option>`)}
		</select>
		${
			type === 'enabled'
				? html`<input type="text" inputmode="numeric" aria-label=${strings.thinkingBudget} title=${strings.thinkingBudget} .value=${String(budget ?? '')} placeholder=${field.placeholder} @change=${onChange}>`
				: nothing
		}
	</div>`;
}

interface SafetySetting {
	category: string;
	threshold: string;
}

function renderSafetySetting(id: string, field: SettingField, value: unknown, { strings, preferences, post }: SettingsContext): unknown {
	const set = Array.isArray(value) ? (value as SafetySetting[]) : [];
	// read all boxes, because the host may not have confirmed the previous change yet
	const onChange = (event: Event) => {
		const boxes = [...((event.currentTarget as HTMLElement).closest('.safety')?.querySelectorAll('select') ?? [])];
		const value = boxes.flatMap(({ name: category, value: threshold }) => (threshold ? [{ category, threshold }] : []));
		post({ type: 'setting', name: field.name, value });
	};
	return html`<div id=${id} role="group" aria-label=${field.name} class="safety">
		${preferences.harmCategories.map(category => {
			const current = set.find(setting => setting.category === category)?.threshold ?? '';
			return html`<label><code>${category}</code>
				<select name=${category} @change=${onChange}>
					<option value="" ?selected=${current === ''}>${strings.unset}</option>
					${preferences.harmThresholds.map(threshold => html`<option value=${threshold} ?selected=${threshold === current}>${threshold}</option>`)}
				</select></label>`;
		})}
	</div>`;
}
