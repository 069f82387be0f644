import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { Reply } from '../../replyCollector.ts';
import type { AppImport } from '../management.ts';
import { formatFieldPath } from '../requests/managementFaults.ts';
import { type ReplyFields, toOptionalText } from './fields.ts';

/**
 * Statuses besides success that contain an import's outcome. 400 is for a failed import. The others are for a file or draft that doesn't
 * fit, depending on the release.
 */
export const importAnswers = [400, 409, 422] as const;

const statuses: ReadonlySet<string> = new Set(['completed', 'completed-with-warnings', 'pending', 'failed']);

/** Reads an import's outcome; returns `undefined` if the response is an error of the request instead. */
export function readImportOutcome({ body }: Reply): AppImport | undefined {
	const value = tryParseJson(body);
	if (!isRecord(value)) {
		return undefined;
	}
	if (value['code'] === 'dsl_invalid') {
		return { ...nothingImported, error: toOptionalText(value['message']), details: readImportDetails(value) };
	}
	const status = value['status'];
	if (typeof status !== 'string' || !statuses.has(status)) {
		return undefined;
	}
	return {
		id: toOptionalText(value['id']) ?? '',
		status: status as AppImport['status'],
		appId: toOptionalText(value['app_id']),
		mode: toOptionalText(value['app_mode']),
		currentVersion: toOptionalText(value['current_dsl_version']),
		importedVersion: toOptionalText(value['imported_dsl_version']),
		error: toOptionalText(value['error']),
		details: readImportDetails(value),
		warnings: readImportWarnings(value),
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
function readImportDetails({ details, hints }: ReplyFields): AppImport['details'] {
	return [
		...filterRecords(details).map(({ loc, msg }) => ({ path: formatFieldPath(loc), message: String(msg ?? '') })),
		...filterRecords(hints)
			.map(({ summary }) => ({ path: '', message: toOptionalText(summary) ?? '' }))
			.filter(({ message }) => message !== ''),
	];
}

function readImportWarnings({ warnings }: ReplyFields): AppImport['warnings'] {
	return filterRecords(warnings).flatMap(({ path, message, code }) => {
		const text = toOptionalText(message) || toOptionalText(code);
		return text ? [path ? `${formatFieldPath(path) || String(path)}: ${text}` : text] : [];
	});
}

function filterRecords(list: unknown): ReplyFields[] {
	return (Array.isArray(list) ? list : []).filter(isRecord);
}
