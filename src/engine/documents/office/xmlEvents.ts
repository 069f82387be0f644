import { Parser } from 'htmlparser2';
import { NodeError } from '../../nodes/nodeType.ts';
import { decodeText } from '../textDecoding.ts';

/** Elements inside of each other: the parser looks through all that are open. */
const maxDepth = 2000;

export type XmlAttributes = Readonly<Record<string, string>>;

/** What is told of the elements of a file. Names are without their prefix: `p` for `<w:p>`. */
export interface XmlHandlers {
	open?(name: string, attributes: XmlAttributes): void;
	close?(name: string): void;
	text?(text: string): void;
}

/**
 * Tells the elements and texts of an XML file in order; what is broken is read as far as it makes sense. Entities that the file declares itself
 * are left as they stand, so that none multiplies. @throws {NodeError} for elements very deep inside of each other
 */
export function readXml(xml: Uint8Array, handlers: XmlHandlers): void {
	let depth = 0;
	const parser = new Parser(
		{
			onopentag(name, attributes) {
				if (++depth > maxDepth) {
					throw new NodeError(`The document has elements more than ${maxDepth} deep inside of each other`, 'TextExtractionError');
				}
				handlers.open?.(withoutPrefix(name), attributes);
			},
			onclosetag(name) {
				depth--;
				handlers.close?.(withoutPrefix(name));
			},
			ontext: text => handlers.text?.(text),
		},
		{ xmlMode: true, decodeEntities: true },
	);
	parser.end(decodeText(xml, ''));
}

/** An attribute by its name without a prefix; one with a prefix comes first (`r:id` before `id`). */
export function xmlAttributeOf(attributes: XmlAttributes, name: string): string | undefined {
	const prefixed = Object.keys(attributes).find(each => each.endsWith(`:${name}`));
	return attributes[prefixed ?? name];
}

function withoutPrefix(name: string): string {
	return name.slice(name.indexOf(':') + 1);
}
