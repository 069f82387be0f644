import type { AppVersion } from '../management.ts';
import { type ReplyFields, readAccountName, readString, toOptionalText, toOptionalTime } from './fields.ts';

/** Reads a version from a list, or the published version. */
export function readVersion(fields: ReplyFields, current: boolean): AppVersion {
	return {
		id: readString(fields, 'id'),
		name: toOptionalText(fields['marked_name']) ?? '',
		comment: toOptionalText(fields['marked_comment']) ?? '',
		by: readAccountName(fields['created_by']),
		createdAt: toOptionalTime(fields['created_at']),
		current,
	};
}
