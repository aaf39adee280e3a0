import { type MarkupPart, readMarkup } from '../../core/text/chat-markup.ts';

/** A text with the few forms of chat programs. Each part is a text of the page: nothing of it becomes HTML. */
export function ChatText({ text }: { readonly text: string }) {
  return (
    <>
      {readMarkup(text).map((part, place) => (
        <Part key={place} part={part} />
      ))}
    </>
  );
}

function Part({ part }: { readonly part: MarkupPart }) {
  switch (part.type) {
    case 'text':
      return <>{part.text}</>;
    case 'bold':
      return <strong>{part.text}</strong>;
    case 'italic':
      return <em>{part.text}</em>;
    case 'struck':
      return <s>{part.text}</s>;
    case 'code':
      return <code>{part.text}</code>;
    case 'link':
      return (
        <a href={part.url} rel="noreferrer noopener">
          {part.text}
        </a>
      );
  }
}
