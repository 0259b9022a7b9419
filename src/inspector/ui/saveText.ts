/** Lets the browser save a text as a file. The address of the text ends with the document. */
export const saveText = (document: Document, name: string, text: string): void => {
  const { defaultView } = document;
  if (defaultView === null) return;
  const link = document.createElement('a');
  link.href = defaultView.URL.createObjectURL(new defaultView.Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
};
