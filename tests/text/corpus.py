"""A little text in four languages, for models that a test can learn in a moment."""

LINES = {
    "en": [
        "I do not know what you mean, Mary.",
        "The well-known doctor lives in New York, doesn't he?",
        "Please call me at 3,000 or write (soon)!",
        "We saw the cat and the dog near the house.",
        "It is what it is: the house was not sold in 1999.",
    ],
    "pt": [
        "Eu não sei o que você quer dizer, Maria.",
        "O médico mora em São Paulo, não é?",
        "Por favor, escreva-me uma carta (em breve)!",
        "Nós vimos o gato e o cachorro perto da casa.",
        "Muito obrigado pela sua resposta.",
    ],
    "it": [
        "Non so che cosa vuoi dire, Maria.",
        "L'amico di Paolo abita a Roma, vero?",
        "Per favore, scrivimi una lettera (presto)!",
        "Abbiamo visto il gatto e il cane vicino all'albero.",
        "Grazie mille per la risposta.",
    ],
    "fr": [
        "Je ne sais pas ce que tu veux dire, Marie.",
        "L'ami de Paul habite à Paris, n'est-ce pas ?",
        "S'il te plaît, écris-moi une lettre (bientôt) !",
        "Nous avons vu le chat et le chien près de l'arbre.",
        "Merci beaucoup pour votre réponse.",
    ],
}
