/** What a Pageview says of the visitor's place and of the page's content (spec S§3), as placeholders by property. */
export const pageviewFields = {
  geo_info: '$ip_geo_info',
  isp_info: '$ip_isp_info',
  classifications: {
    categories: '$alchemy_taxonomy',
    concepts: '$alchemy_concepts',
    emotion: '$alchemy_document_emotion',
    entities: '$alchemy_entities',
    keywords: '$alchemy_keywords',
    sentiment: '$alchemy_document_sentiment',
    taxonomy_labels: '$alchemy_taxonomy_labels',
  },
} as const;
