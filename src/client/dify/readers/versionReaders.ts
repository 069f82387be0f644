import type { AppVersion } from '../management.ts';
import { accountName, type Fields, optionalText, optionalTime, textIn } from './fields.ts';

/** A version as lists of them say, or the published one by itself. */
export function readVersion(fields: Fields, current: boolean): AppVersion {
	return {
		id: textIn(fields, 'id'),
		name: optionalText(fields['marked_name']) ?? '',
		comment: optionalText(fields['marked_comment']) ?? '',
		by: accountName(fields['created_by']),
		createdAt: optionalTime(fields['created_at']),
		current,
	};
}
