import { timestampToMs } from '#contract/timestamps.ts';
import type { FormButton, FormField, FormFieldKind, RunForm } from './runForm.ts';

const kinds: readonly string[] = ['paragraph', 'select', 'file', 'file-list'] satisfies FormFieldKind[];
const styles: readonly string[] = ['primary', 'default', 'accent', 'ghost'] satisfies FormButton['style'][];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a form from an event or from the reasons of a pause; `undefined` if there is none. The values come from a service, so each field's
 * type is checked.
 */
export function readForm(value: unknown): RunForm | undefined {
	const data = fields(value);
	const nodeId = text(data['node_id']);
	const id = text(data['form_id']) || nodeId;
	if (id === '') {
		return undefined;
	}
	const defaults = fields(data['resolved_default_values']);
	const token = text(data['form_token']);
	const expiresAt = timestampToMs(data['expiration_time']);
	return {
		id,
		nodeId,
		title: text(data['node_title']) || nodeId || id,
		content: text(data['form_content']),
		inputs: list(data['inputs']).flatMap(input => readInput(fields(input), defaults) ?? []),
		actions: list(data['actions'] ?? data['user_actions']).flatMap(action => readAction(fields(action)) ?? []),
		...(token === '' ? {} : { token }),
		...(expiresAt === undefined ? {} : { expiresAt }),
	};
}

function readInput(input: Fields, defaults: Fields): FormField | undefined {
	const name = text(input['output_variable_name']);
	if (name === '') {
		return undefined;
	}
	const type = text(input['type']);
	const kind = kinds.includes(type) ? (type as FormFieldKind) : 'paragraph';
	const given = defaults[name];
	const written = fields(input['default']);
	const most = input['number_limits'];
	const methods = list(input['allowed_file_upload_methods']);
	const fixed = list(fields(input['option_source'])['value']);
	const options = (fixed.length > 0 ? fixed : list(given)).filter(option => typeof option === 'string');
	return {
		name,
		kind,
		value: Array.isArray(given) ? '' : valueText(given ?? (written['type'] === 'variable' ? undefined : written['value'])),
		options: kind === 'select' ? options : [],
		required: kind !== 'paragraph',
		fileTypes: list(input['allowed_file_types']).map(text),
		extensions: list(input['allowed_file_extensions']).map(text),
		uploads: methods.length === 0 || methods.includes('local_file'),
		links: methods.includes('remote_url'),
		...(typeof most === 'number' && most > 0 ? { most } : {}),
	};
}

function readAction(action: Fields): FormButton | undefined {
	const id = text(action['id']);
	const style = text(action['button_style']);
	return id === ''
		? undefined
		: { id, title: text(action['title']) || id, style: styles.includes(style) ? (style as FormButton['style']) : 'default' };
}

function fields(value: unknown): Fields {
	return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function valueText(value: unknown): string {
	return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}
