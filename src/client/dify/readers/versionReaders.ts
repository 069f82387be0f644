import type { AppVersion } from '../management.ts';
import { accountName, optionalText, optionalTime, type ReplyFields, textIn } from './fields.ts';

/** A version as lists of them say, or the published one by itself. */
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
