import { toTimestampMs } from '#contract/timestamps.ts';
import type { FormButton, FormField, FormFieldKind, RunForm } from './runForm.ts';

const kinds: readonly string[] = ['paragraph', 'select', 'file', 'file-list'] satisfies FormFieldKind[];
const styles: readonly string[] = ['primary', 'default', 'accent', 'ghost'] satisfies FormButton['style'][];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a form from an event or from the reasons of a pause; `undefined` if there is none. The values come from a service, so each field's
 * type is checked.
 */
export function readForm(value: unknown): RunForm | undefined {
	const data = toRecordOrEmpty(value);
	const nodeId = toText(data['node_id']);
	const id = toText(data['form_id']) || nodeId;
	if (id === '') {
		return undefined;
	}
	const defaults = toRecordOrEmpty(data['resolved_default_values']);
	const token = toText(data['form_token']);
	const expiresAt = toTimestampMs(data['expiration_time']);
	return {
		id,
		nodeId,
		title: toText(data['node_title']) || nodeId || id,
		content: toText(data['form_content']),
		inputs: toList(data['inputs']).flatMap(input => readInput(toRecordOrEmpty(input), defaults) ?? []),
		actions: toList(data['actions'] ?? data['user_actions']).flatMap(action => readAction(toRecordOrEmpty(action)) ?? []),
		...(token === '' ? {} : { token }),
		...(expiresAt === undefined ? {} : { expiresAt }),
	};
}

function readInput(input: Fields, defaults: Fields): FormField | undefined {
	const name = toText(input['output_variable_name']);
	if (name === '') {
		return undefined;
	}
	const type = toText(input['type']);
	const kind = kinds.includes(type) ? (type as FormFieldKind) : 'paragraph';
	const given = defaults[name];
	const written = toRecordOrEmpty(input['default']);
	const most = input['number_limits'];
	const methods = toList(input['allowed_file_upload_methods']);
	const fixed = toList(toRecordOrEmpty(input['option_source'])['value']);
	const options = (fixed.length > 0 ? fixed : toList(given)).filter(option => typeof option === 'string');
	return {
		name,
		kind,
		value: Array.isArray(given) ? '' : formatFieldValue(given ?? (written['type'] === 'variable' ? undefined : written['value'])),
		options: kind === 'select' ? options : [],
		required: kind !== 'paragraph',
		fileTypes: toList(input['allowed_file_types']).map(toText),
		extensions: toList(input['allowed_file_extensions']).map(toText),
		uploads: methods.length === 0 || methods.includes('local_file'),
		links: methods.includes('remote_url'),
		...(typeof most === 'number' && most > 0 ? { most } : {}),
	};
}

function readAction(action: Fields): FormButton | undefined {
	const id = toText(action['id']);
	const style = toText(action['button_style']);
	return id === ''
		? undefined
		: { id, title: toText(action['title']) || id, style: styles.includes(style) ? (style as FormButton['style']) : 'default' };
}

function toRecordOrEmpty(value: unknown): Fields {
	return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function toList(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function toText(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function formatFieldValue(value: unknown): string {
	return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}
