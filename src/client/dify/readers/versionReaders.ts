import type { AppVersion } from '../management.ts';
import { accountName, optionalText, optionalTime, type ReplyFields, textIn } from './fields.ts';

/** Reads a version from a list, or the published version. */
export function readVersion(fields: ReplyFields, current: boolean): AppVersion {
	return {
		id: textIn(fields, 'id'),
		name: optionalText(fields['marked_name']) ?? '',
		comment: optionalText(fields['marked_comment']) ?? '',
		by: accountName(fields['created_by']),
		createdAt: optionalTime(fields['created_at']),
		current,
	};
}
