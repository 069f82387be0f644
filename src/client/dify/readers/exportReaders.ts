import type { Reply } from '../../replyCollector.ts';
import type { ManagementRequest } from '../requests/managementRequest.ts';
import type { ManagementRequests } from '../requests/managementRequests.ts';
import { isPackage, readAppPackage } from './appPackage.ts';
import { type ReplyFields, toOptionalText } from './fields.ts';

/** Returns the app file in the response to an export, which may be JSON or an app package, regardless of the requested format. */
export function readExportedFile(
	requests: ManagementRequests,
	reply: Reply,
	request: ManagementRequest,
): { readonly text: string; readonly draftHash: string | undefined } {
	if (isPackage(reply.bytes)) {
		return { text: readAppPackage(reply.bytes), draftHash: undefined };
	}
	return requests.readReply<ReplyFields, { text: string; draftHash: string | undefined }>(reply, request, ({ data, draft_hash }) => {
		if (typeof data !== 'string') {
			throw new TypeError('no text');
		}
		return { text: data, draftHash: toOptionalText(draft_hash) };
	});
}
