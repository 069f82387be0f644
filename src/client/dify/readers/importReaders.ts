import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { Reply } from '../../replyCollector.ts';
import type { AppImport } from '../management.ts';
import { pathText } from '../requests/managementFaults.ts';
import { optionalText, type ReplyFields } from './fields.ts';

/**
 * Statuses besides success that carry an import's outcome: 400 for a failed import, the others for a file or draft that doesn't fit,
 * depending on the release.
 */
export const importAnswers = [400, 409, 422] as const;

const statuses: ReadonlySet<string> = new Set(['completed', 'completed-with-warnings', 'pending', 'failed']);

/** Reads an import's outcome; returns `undefined` if the response is an error of the request instead. */
export function readImport({ body }: Reply): AppImport | undefined {
	const value = tryParseJson(body);
	if (!isRecord(value)) {
		return undefined;
	}
	if (value['code'] === 'dsl_invalid') {
		return { ...nothingImported, error: optionalText(value['message']), details: detailsOf(value) };
	}
	const status = value['status'];
	if (typeof status !== 'string' || !statuses.has(status)) {
		return undefined;
	}
	return {
		id: optionalText(value['id']) ?? '',
		status: status as AppImport['status'],
		appId: optionalText(value['app_id']),
		mode: optionalText(value['app_mode']),
		currentVersion: optionalText(value['current_dsl_version']),
		importedVersion: optionalText(value['imported_dsl_version']),
		error: optionalText(value['error']),
		details: detailsOf(value),
		warnings: warningsOf(value),
	};
}

const nothingImported = {
	id: '',
	status: 'failed',
	appId: undefined,
	mode: undefined,
	currentVersion: undefined,
	importedVersion: undefined,
	warnings: [],
} as const;

/** Returns the deployment's problems, followed by its hints. */
function detailsOf({ details, hints }: ReplyFields): AppImport['details'] {
	return [
		...recordsOf(details).map(({ loc, msg }) => ({ path: pathText(loc), message: String(msg ?? '') })),
		...recordsOf(hints)
			.map(({ summary }) => ({ path: '', message: optionalText(summary) ?? '' }))
			.filter(({ message }) => message !== ''),
	];
}

function warningsOf({ warnings }: ReplyFields): AppImport['warnings'] {
	return recordsOf(warnings).flatMap(({ path, message, code }) => {
		const text = optionalText(message) || optionalText(code);
		return text ? [path ? `${pathText(path) || String(path)}: ${text}` : text] : [];
	});
}

function recordsOf(list: unknown): ReplyFields[] {
	return (Array.isArray(list) ? list : []).filter(isRecord);
}
